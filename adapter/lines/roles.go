package lines

import "strings"

// roles are the words that begin an element within a line, so that a text which
// reads like one can be told from it. They are those of the page script.
var roles = map[string]bool{}

func init() {
	for _, role := range strings.Fields(`
		alert alertdialog application article audio banner blockquote button canvas caption cell checkbox clickable code
		columnheader combobox comment complementary contentinfo definition deletion dialog document embed emphasis feed
		figure form generic grid gridcell group heading iframe image insertion link list listbox listitem log main mark
		marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note object option options
		paragraph progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox sectionfooter
		sectionheader separator slider spinbutton status strong subscript suggestion superscript switch tab table tablist
		tabpanel term text textbox time timer toolbar tooltip tree treegrid treeitem video
		doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography
		doc-biblioref doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote
		doc-endnotes doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref
		doc-index doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part
		doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc
		graphics-document graphics-object graphics-symbol`) {
		roles[role] = true
	}
}

// IsRole reports whether a word is a role that lines may have.
func IsRole(word string) bool { return roles[word] }
