// Notes: three editors of rich text, and one of code.
import Quill from "quill";
import "quill/dist/quill.snow.css";
import { EditorState } from "prosemirror-state";
import { EditorView as Prose } from "prosemirror-view";
import { DOMParser } from "prosemirror-model";
import { schema } from "prosemirror-schema-basic";
import { exampleSetup } from "prosemirror-example-setup";
import "prosemirror-view/style/prosemirror.css";
import "prosemirror-menu/style/menu.css";
import { EditorView, basicSetup } from "codemirror";
import { javascript } from "@codemirror/lang-javascript";
import { createEditor, $getRoot, $createParagraphNode, $createTextNode } from "lexical";
import { registerRichText } from "@lexical/rich-text";

document.getElementById("root").innerHTML = `<style>.box{border:1px solid #888;margin:10px 0;min-height:60px;max-width:600px}</style><h1>Notes</h1>
<h2>Letter</h2><div class=box id=letter></div><h2>Draft</h2><div class=box id=draft></div><h2>Memo</h2><div class=box id=memo contenteditable aria-label=Memo></div><h2>Code</h2><div class=box id=code></div>`;
const at = (id) => document.getElementById(id);
const letter = new Quill("#letter", { theme: "snow" });
letter.setText("Dear Ann,\n");
letter.root.setAttribute("aria-label", "Letter");
const from = document.createElement("div");
from.innerHTML = "<p>one two three</p>";
const draft = new Prose(at("draft"), { state: EditorState.create({ doc: DOMParser.fromSchema(schema).parse(from), plugins: exampleSetup({ schema }) }), attributes: { "aria-label": "Draft" } });
const memo = createEditor({ namespace: "memo", onError(e) { throw e; } });
memo.setRootElement(at("memo"));
registerRichText(memo);
memo.update(() => { const p = $createParagraphNode(); p.append($createTextNode("call Bob")); $getRoot().clear().append(p); });
const code = new EditorView({ doc: "let a = 1;\n", extensions: [basicSetup, javascript(), EditorView.contentAttributes.of({ "aria-label": "Code" })], parent: at("code") });
window.model = () => ({
  letter: letter.getText(), bold: letter.getContents().ops.filter((o) => o.attributes?.bold).map((o) => o.insert).join(),
  draft: draft.state.doc.textContent, blocks: draft.state.doc.childCount, strong: JSON.stringify(draft.state.doc.toJSON()).includes('"strong"'),
  memo: memo.getEditorState().read(() => $getRoot().getTextContent()), code: code.state.doc.toString(),
});
