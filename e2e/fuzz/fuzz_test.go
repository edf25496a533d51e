package fuzz

import (
	"reflect"
	"testing"
	"time"
)

// Each run tries the same changes of an input, whatever there was time for before.
func TestEachRunTriesTheSame(t *testing.T) {
	args := func(text string) []reflect.Value { return []reflect.Value{reflect.ValueOf(t), reflect.ValueOf(text)} }
	tried := func(first time.Time) (list []string) {
		m := &mutator{target: reflect.ValueOf(func(_ *testing.T, text string) { list = append(list, text) }), until: first}
		m.around(args(`{"a":1}`))
		list, m.until = nil, time.Now().Add(time.Hour)
		m.around(args("second"))
		return list
	}
	one, two := tried(time.Now().Add(time.Hour)), tried(time.Now())
	for i := range min(len(one), len(two)) {
		if one[i] != two[i] {
			t.Fatalf("change %d is %q, and %q the next time", i, one[i], two[i])
		}
	}
}
