/** What ESLint looks for in the modules of the page and in their tests, beyond what the type checker finds. */

/** What the page uses of a browser: a name that is missing here is most likely a typing error. */
const BROWSER = [
  "AbortController Blob EventSource HashChangeEvent TextDecoderStream URL URLSearchParams Event",
  "addEventListener cancelAnimationFrame clearInterval clearTimeout console dispatchEvent document fetch",
  "getComputedStyle history innerHeight location matchMedia performance removeEventListener requestAnimationFrame",
  "scrollY sessionStorage setInterval setTimeout",
];
const NODE = ["DOMException ReadableStream Response TextEncoder globalThis"];

function readonly(names) {
  return Object.fromEntries(
    names
      .join(" ")
      .split(" ")
      .map((name) => [name, "readonly"]),
  );
}

export default [
  {
    files: ["**/*.js"],
    languageOptions: { ecmaVersion: 2023, sourceType: "module", globals: readonly(BROWSER) },
    linterOptions: { reportUnusedDisableDirectives: "error", reportUnusedInlineConfigs: "error" },
    rules: {
      "array-callback-return": "error",
      "consistent-return": "error",
      curly: "error",
      eqeqeq: "error",
      "no-constant-condition": "error",
      "no-dupe-else-if": "error",
      "no-dupe-keys": "error",
      "no-duplicate-imports": "error",
      "no-empty": "error",
      "no-eval": "error",
      "no-fallthrough": "error",
      "no-implicit-globals": "error",
      "no-loop-func": "error",
      "no-param-reassign": "error",
      "no-promise-executor-return": "error",
      "no-self-compare": "error",
      "no-shadow": "error",
      "no-template-curly-in-string": "error",
      "no-undef": "error",
      "no-unreachable": "error",
      "no-unsafe-finally": "error",
      "no-unsafe-optional-chaining": "error",
      "no-unused-expressions": "error",
      "no-unused-vars": "error",
      "no-use-before-define": ["error", { functions: false }],
      "no-useless-assignment": "error",
      "no-useless-escape": "error",
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
  { files: ["src/test/page/**"], languageOptions: { globals: readonly(NODE) } },
];
