/** Finds what the page gets as vendor/NAME.js in the packages that npm has installed. */

const PACKAGES = { "preact.js": "preact", "hooks.js": "preact/hooks", "yaml.js": "js-yaml" };
const PAGE = new URL("../../main/resources/ui/", import.meta.url).href;
const TOOLS = new URL("../../../target/page-tools/", import.meta.url).href;

export async function resolve(specifier, context, next) {
  const [, name] = /\/vendor\/([a-z]+\.js)$/.exec(specifier) ?? [];
  if (name !== undefined) {
    return next(PACKAGES[name], { ...context, parentURL: TOOLS });
  }
  const found = await next(specifier, context);
  // No package.json says so there: browsers need none.
  return found.url.startsWith(PAGE) ? { ...found, format: "module" } : found;
}
