// Package lines is a snapshot as it travels from the page script to whoever
// writes it down: elements and texts, a Line each.
//
//	list, err := lines.Decode(wire)
//	fmt.Println(lines.Writer{}.Text(list))
//
// A page can put any text into its names, values and attributes. Writer alone
// turns lines into text, and it escapes what is the page's, so that each line
// that is written is one of ours, and each ref in it one that was given. The
// grammar is in docs/snapshots.md.
package lines
