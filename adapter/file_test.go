package adapter

import "testing"

func TestFilesOfOtherMachines(t *testing.T) {
	for address, opened := range map[string]bool{
		"file:///etc/hosts": true, "file:/etc/hosts": true, "file://localhost/etc/hosts": true, "FILE:///C:/x": true, "file://C:/x": true, "file:///c|/x": true,
		"file://host/share": false, "file:////host/share": false, `file:\\host\share`: false, `file:/\host/share`: false, "file:/\t/host/share": false,
		"file://localhost//host/share": false, "file://host": false, "file:///\\host/x": false,
	} {
		b := &Browser{opts: Options{AllowFile: true}}
		if _, err := b.completed(address); (err == nil) != opened {
			t.Errorf("%q: %v", address, err)
		}
		b.opts.AllowFile = false
		if _, err := b.completed(address); err == nil {
			t.Errorf("%q is opened without --allow-file", address)
		}
	}
}
