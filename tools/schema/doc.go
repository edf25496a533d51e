// Package schema says what arguments a tool takes, and holds calls against it.
//
//	s := schema.Of(reflect.TypeFor[clickArgs]())
//	var args clickArgs
//	err := s.Decode(raw, &args)
//
// A Schema is the part of JSON Schema that clients understand: flat, without
// unions, nulls and references, since some model providers reject a whole list
// of tools for one of them. It is made of a Go type (Of), of what a page declares
// (Declared), or by hand (Object). A page's own schema is never passed on: a
// bounded one is written from what is known here of it.
//
// Errors are for an agent that calls again. They name the argument by its path,
// say what it takes and what it got, and none echoes more than a few words.
//
// google/jsonschema-go does not stand behind this package. Its validation answers
// whoever wrote the schema: with a path in the schema, not in the value, so that
// of several fields nobody knows which; with the whole value; without what the
// argument is for or which others there are; and only as a sentence, out of which
// ours cannot be made. A single keyword that it cannot read, such as a pattern
// with a lookahead, makes it refuse the schema, where a page's tool shall be
// called all the same. Its schemas of pointers are unions with null. What is left
// is a struct of keywords, of which a dozen are needed here.
package schema
