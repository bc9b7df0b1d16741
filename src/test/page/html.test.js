import assert from "node:assert/strict";
import { test } from "node:test";
import { html } from "../../main/resources/ui/core/html.js";

/** An element as a list: its tag, what it has, what is in it. */
function seen(node) {
  if (node === null || typeof node !== "object") {
    return node;
  }
  const { children, ...props } = node.props;
  const inner = children === undefined ? [] : [children].flat();
  return [node.type, { ...props, ...(node.key ? { key: node.key } : {}) }, ...inner.map(seen)];
}

test("elements, attributes and texts", () => {
  assert.deepEqual(seen(html`<p class="a b" hidden>one <b>two</b></p>`), [
    "p",
    { class: "a b", hidden: true },
    "one ",
    ["b", {}, "two"],
  ]);
});

test("values stay what they are, as properties and as texts", () => {
  const act = () => {};
  const hostile = "<script>alert(1)</script>";
  assert.deepEqual(seen(html`<a onClick=${act} title=${hostile} key=${7}>${hostile}${null}${0}</a>`), [
    "a",
    { onClick: act, title: hostile, key: 7 },
    hostile,
    null,
    0,
  ]);
});

test("a value within a text of an attribute", () => {
  assert.deepEqual(seen(html`<a class="x ${"y"} z"></a>`), ["a", { class: "x y z" }]);
  assert.deepEqual(seen(html`<a class="" id=b></a>`), ["a", { class: "", id: "b" }]);
});

test("components stand where a name would, and end with <//>", () => {
  function Box() {
    return null;
  }
  assert.deepEqual(seen(html`<${Box} of=${1}><i /><//>`), [Box, { of: 1 }, ["i", {}]]);
  assert.deepEqual(seen(html`<${Box} of=${1} />`), [Box, { of: 1 }]);
  assert.deepEqual(seen(html`<${Box} ...${{ a: 1, b: 2 }} b=${3} />`), [Box, { a: 1, b: 3 }]);
});

test("line breaks between elements are not text, and those within text are blanks", () => {
  assert.deepEqual(
    seen(html`<p>
      one
      two
      <b>three</b>
    </p>`),
    ["p", {}, "one two", ["b", {}, "three"]],
  );
});

test("several elements are a list, and the same template is read once", () => {
  const draw = (text) => html`<b>${text}</b><i>${text}</i>`;
  assert.deepEqual(draw("x").map(seen), [
    ["b", {}, "x"],
    ["i", {}, "x"],
  ]);
  assert.deepEqual(draw("y").map(seen), [
    ["b", {}, "y"],
    ["i", {}, "y"],
  ]);
});

test("what is not well formed is refused", () => {
  assert.throws(() => html`<p><b>never ends</p>`, /not closed/);
});
