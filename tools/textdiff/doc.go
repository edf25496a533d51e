// Package textdiff tells what changed between two snapshots of a page, for whoever
// read the first one.
//
//	change := textdiff.Between(lines.Writer{}, before, after, textdiff.Deed{Ref: "e4"})
//
// Lines are compared whatever their depth, so that an element that is wrapped in
// another is still the same. Then what is gone and what is new is paired: by ref,
// by what it says, by where it stands. What is left is written, a line for each
// difference, below the element that holds it:
//
//	  list "Items" [e1]
//	+   listitem [e5]: Eggs
//	~ text: 2 items → 3 items
//	- button "Add" [e4]
//
// Where much changed within one element, that element is written as it is now, if
// it is the shorter thing to read.
package textdiff
