package adapter

import "testing"

func TestB90SitePatterns(t *testing.T) {
	for _, c := range []struct {
		sites   Sites
		address string
		want    bool
	}{
		{Sites{}, "https://anything.test/", true},
		{Sites{Allow: []string{"example.com"}}, "https://example.com/x", true},
		{Sites{Allow: []string{"example.com"}}, "https://Shop.Example.com./x", true},
		{Sites{Allow: []string{"example.com"}}, "https://notexample.com/", false},
		{Sites{Allow: []string{"example.com"}}, "https://example.com.evil.test/", false},
		{Sites{Allow: []string{"example.com"}}, "https://example.com@evil.test/", false},
		{Sites{Allow: []string{"*.example.com"}}, "https://example.com/", false},
		{Sites{Allow: []string{"*.example.com"}}, "https://a.b.example.com/", true},
		{Sites{Allow: []string{"localhost:3000"}}, "http://localhost:3000/", true},
		{Sites{Allow: []string{"localhost:3000"}}, "http://localhost:3001/", false},
		{Sites{Allow: []string{"example.com:443"}}, "https://example.com/", true},
		{Sites{Allow: []string{"127.0.0.1"}}, "http://127.0.0.1:99/", true},
		{Sites{Allow: []string{"0.0.1"}}, "http://127.0.0.1/", false},
		{Sites{Allow: []string{"[::1]:80"}}, "http://[::1]/", true},
		{Sites{Allow: []string{"example.com"}}, "about:blank", true},
		{Sites{Allow: []string{"example.com"}}, "blob:https://evil.test/1", false},
		{Sites{Block: []string{"bank.test:443"}}, "wss://bank.test/", false},
		{Sites{Block: []string{"bank.test"}}, "https://www.bank.test/", false},
		{Sites{Block: []string{"bank.test"}}, "https://example.com/", true},
		{Sites{Block: []string{"bank.test"}}, "https://example.com/100%?50%#7%", true},
		{Sites{Block: []string{"bank.test"}}, "https://bank.test/100%?50%#7%", false},
		{Sites{Block: []string{"bank.test"}}, "https://example.com\\@bank.test/", false},
		{Sites{Block: []string{"bank.test"}}, "https://bank.test\\@example.com/", false},
		{Sites{Allow: []string{"example.com"}}, "https://example.com/100%#7%", true},
		{Sites{Allow: []string{"example.com"}}, "https://evil.test?://example.com/", false},
		{Sites{Allow: []string{"example.com"}}, "https://evil.test/://example.com/", false},
		{Sites{Allow: []string{"example.com"}, Block: []string{"admin.example.com"}}, "https://admin.example.com/", false},
	} {
		if got := c.sites.refusal(c.address) == ""; got != c.want {
			t.Errorf("%v and %s: %v", c.sites, c.address, got)
		}
	}
	for pattern, want := range map[string]bool{"example.com": true, "*.example.com": true, "localhost": true, "localhost:3000": true, "[::1]": true,
		"": false, "*": false, "https://example.com": false, "a*.com": false, "com": false, "co.uk": false, "*.co.uk": false} {
		if err := (Sites{Allow: []string{pattern}}).Check(); (err == nil) != want {
			t.Errorf("%q: %v", pattern, err)
		}
	}
	for address, want := range map[string]string{"https://a.b.example.co.uk/": "example.co.uk", "http://localhost:1/": "localhost", "http://127.0.0.1/": "127.0.0.1",
		"https://user.github.io": "user.github.io", "https://a.example.com/100%": "example.com", "about:blank": ""} {
		if got := Site(address); got != want {
			t.Errorf("%s is of %q", address, got)
		}
	}
}

// TestAddressKeepsALonePercent holds that an address which a browser takes is one.
func TestAddressKeepsALonePercent(t *testing.T) {
	b := &Browser{opts: Options{Sites: Sites{Block: []string{"bank.test"}}}}
	for address, want := range map[string]string{"example.com/100%": "https://example.com/100%", "http://example.com/#7%": "http://example.com/#7%",
		"https://bank.test/100%": "", "https://a%/": "", "https://?x": ""} {
		if got, err := b.address(address); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q %v", address, got, err)
		}
	}
}
