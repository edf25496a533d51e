// Package textdiff says what changed between two snapshots of a page, for an agent
// that has read the first one.
//
//	change := textdiff.Between(lines.Writer{}, before, after, textdiff.Deed{Ref: "e4"})
//
// Lines are compared whatever their depth, so that an element that is wrapped in
// another is still the same. Then lines that are gone are paired with new ones: by
// ref, by text, by place. Each difference that is left is a line below the element
// that holds it:
//
//	  list "Items" [e1]
//	+   listitem [e5]: Eggs
//	~ text: 2 items → 3 items
//	- button "Add" [e4]
//
// Where much changed within one element, the whole element is written as it is now,
// if that is shorter.
package textdiff
