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
// bounded one is written from the part of it that is understood here.
//
// Errors are for an agent that calls again. They name the argument by its path,
// say what it takes and what it got, and echo no more than a few words.
//
// This package does not build on google/jsonschema-go, whose errors are for the
// author of a schema: they give a path in the schema, not in the value, so that
// nobody knows which of several fields is wrong; they quote the whole value; they
// do not say what the argument is for or which others there are; and they are
// finished sentences, from which ours cannot be made. It refuses a schema for one
// keyword that it cannot read, such as a pattern with a lookahead, where a page's
// tool should still be callable. Its schemas of pointers are unions with null.
// What would be left is a struct of keywords, of which a dozen are needed here.
package schema
