package browser

import "strings"

// quietFeatures are the browser's own surprises: bars, bubbles and background
// fetches which take the focus or the network while an agent works, and the
// pages that it loads ahead for its address bar: they cost as much as the rest
// of its start.
var quietFeatures = []string{
	"Translate",
	"MediaRouter",
	"DialMediaRouteProvider",
	"OptimizationHints",
	"InterestFeedContentSuggestions",
	"AutofillServerCommunication",
	"GlobalMediaControls",
	"PrivacySandboxSettings4",
	"CertificateTransparencyComponentUpdater",
	"WebUIOmniboxPopup",
	"WebUIOmniboxAimPopup",
}

// managedFlags is the command line of a managed browser; the page to open comes
// last, and what the caller adds before it, so that a caller's flag wins.
func managedFlags(o launchOptions) []string {
	flags := []string{
		"--remote-debugging-pipe",
		"--enable-unsafe-extension-debugging",
		"--user-data-dir=" + o.ProfileDir,
		"--silent-debugger-extension-api",
		"--allow-pre-commit-input", // else keys and presses before a page's first frame are lost
		"--no-first-run",
		"--no-default-browser-check",
		"--hide-crash-restore-bubble",
		"--disable-search-engine-choice-screen",
		"--disable-background-networking",
		"--disable-component-update",
		"--disable-sync",
		"--disable-default-apps",
		"--disable-breakpad",
		"--disable-field-trial-config",
		"--metrics-recording-only",
		"--no-service-autorun",
		"--password-store=basic",
		"--use-mock-keychain",
		"--disable-features=" + strings.Join(quietFeatures, ","),
		"--enable-features=WebMCP", // pages may declare tools
	}
	if o.Headless {
		flags = append(flags,
			"--headless=new",
			"--window-size=1280,800",
			"--hide-scrollbars",
			"--mute-audio",
			"--disable-background-timer-throttling",
			"--disable-renderer-backgrounding",
			"--disable-backgrounding-occluded-windows",
			// Without a window there is no mouse, and pages would be as on a phone.
			"--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
		)
	}
	if o.NoSandbox {
		flags = append(flags, "--no-sandbox")
	}
	if o.ExtensionDir != "" && o.way() == loadByFlag {
		flags = append(flags, "--load-extension="+o.ExtensionDir)
		if o.Headless {
			// A person who uses a managed window may add extensions of their own, so
			// only browsers without a window refuse the others.
			flags = append(flags, "--disable-extensions-except="+o.ExtensionDir)
		}
	}
	flags = append(flags, o.Args...)
	url := o.URL
	if url == "" {
		url = "about:blank"
	}
	return append(flags, url)
}
