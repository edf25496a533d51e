// Chromedp drives a browser with the API that chromedp had until v0.14, which most
// programs use, and prints a line of JSON for each check.
//
//	go run . ADDRESS SITE
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	dp "github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const patience = 40 * time.Second // for one check

type check struct {
	name  string
	steps func(site string) dp.Tasks
}

var (
	text, other string
	number      int
	picture     []byte
	nodes       []*cdp.Node
	attributes  map[string]string
)

var checks = []check{
	{"Title and Location", func(site string) dp.Tasks {
		return dp.Tasks{dp.Title(&text), is(&text, "Clients"), dp.Location(&other), is(&other, site)}
	}},
	{"seen and focused", func(string) dp.Tasks {
		return dp.Tasks{dp.Evaluate(`document.visibilityState + document.hasFocus()`, &text), is(&text, "visibletrue")}
	}},
	{"Evaluate", func(string) dp.Tasks { return dp.Tasks{dp.Evaluate(`6 * 7`, &number), is(&number, 42)} }},
	{"Evaluate awaits a promise", func(string) dp.Tasks {
		await := func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
		return dp.Tasks{dp.Evaluate(`Promise.resolve("later")`, &text, await), is(&text, "later")}
	}},
	{"Evaluate throws", func(string) dp.Tasks {
		return dp.Tasks{dp.ActionFunc(func(ctx context.Context) error {
			if err := dp.Evaluate(`(() => { throw new Error("thrown") })()`, nil).Do(ctx); err == nil || !strings.Contains(err.Error(), "thrown") {
				return fmt.Errorf("it says %v", err)
			}
			return nil
		})}
	}},
	{"Click", func(string) dp.Tasks { return dp.Tasks{dp.Click("#button", dp.ByQuery), says("click true 1")} }},
	{"Click with NodeVisible", func(string) dp.Tasks { return dp.Tasks{dp.Click("#bottom", dp.NodeVisible), says("bottom")} }},
	{"DoubleClick", func(string) dp.Tasks { return dp.Tasks{dp.DoubleClick("#button", dp.ByQuery), says("twice")} }},
	{"SendKeys", func(string) dp.Tasks {
		return dp.Tasks{dp.SendKeys("#name", "Ada"+kb.Backspace+"A"), dp.Value("#name", &text), is(&text, "AdA")}
	}},
	{"KeyEvent", func(string) dp.Tasks {
		return dp.Tasks{dp.Focus("#box"), dp.KeyEvent("k", dp.KeyModifiers(input.ModifierCtrl)), says("k,false,true")}
	}},
	{"SetValue", func(string) dp.Tasks {
		return dp.Tasks{dp.SetValue("#name", "set"), dp.Value("#name", &text), is(&text, "set")}
	}},
	{"Text, InnerHTML and Attributes", func(string) dp.Tasks {
		return dp.Tasks{dp.Text("h1", &text), is(&text, "Clients"), dp.InnerHTML("h1", &other), is(&other, "Clients"), dp.Attributes("#button", &attributes),
			dp.ActionFunc(func(ctx context.Context) error {
				text = attributes["data-testid"]
				return is(&text, "the-button").Do(ctx)
			})}
	}},
	{"Nodes", func(string) dp.Tasks {
		return dp.Tasks{dp.Nodes(".item", &nodes, dp.ByQueryAll), holds(func() bool { return len(nodes) == 3 })}
	}},
	{"BySearch and ByJSPath", func(string) dp.Tasks {
		return dp.Tasks{dp.Text("//h1", &text, dp.BySearch), is(&text, "Clients"),
			dp.Text(`document.querySelector('#host').shadowRoot.firstChild`, &other, dp.ByJSPath), is(&other, "In the shadow")}
	}},
	{"WaitVisible", func(string) dp.Tasks { return dp.Tasks{dp.Click("#later"), dp.WaitVisible("#there")} }},
	{"Poll", func(string) dp.Tasks {
		return dp.Tasks{dp.Click("#later"), dp.Poll(`document.querySelector('#there')?.textContent`, &text), is(&text, "there")}
	}},
	{"Screenshot", func(string) dp.Tasks {
		return dp.Tasks{dp.Screenshot("h1", &picture), holds(func() bool { return string(picture[1:4]) == "PNG" })}
	}},
	{"CaptureScreenshot", func(string) dp.Tasks {
		return dp.Tasks{dp.CaptureScreenshot(&picture), holds(func() bool { return len(picture) > 1000 })}
	}},
	{"FullScreenshot", func(string) dp.Tasks {
		return dp.Tasks{dp.FullScreenshot(&picture, 80), holds(func() bool { return len(picture) > 1000 })}
	}},
	{"PDF", func(string) dp.Tasks {
		return dp.Tasks{dp.ActionFunc(func(ctx context.Context) (err error) {
			picture, _, err = page.PrintToPDF().Do(ctx)
			return err
		}), holds(func() bool { return string(picture[:4]) == "%PDF" })}
	}},
	{"Navigate", func(site string) dp.Tasks {
		return dp.Tasks{dp.Navigate(site + "inner.html"), dp.Location(&text), is(&text, site+"inner.html")}
	}},
	{"NavigationEntries", func(site string) dp.Tasks {
		return dp.Tasks{dp.Navigate(site + "inner.html"), dp.ActionFunc(func(ctx context.Context) error {
			_, entries, err := page.GetNavigationHistory().Do(ctx)
			if err == nil && len(entries) < 2 {
				err = fmt.Errorf("%d entries", len(entries))
			}
			return err
		})}
	}},
	{"Reload", func(string) dp.Tasks {
		return dp.Tasks{dp.Evaluate(`window.mark = "set"`, nil), dp.Reload(), dp.Evaluate(`String(window.mark)`, &text), is(&text, "undefined")}
	}},
	{"RunResponse", func(site string) dp.Tasks {
		return dp.Tasks{dp.ActionFunc(func(ctx context.Context) error {
			response, err := dp.RunResponse(ctx, dp.Navigate(site+"next.html"))
			if err == nil && response.Status != 200 {
				err = fmt.Errorf("status %d", response.Status)
			}
			return err
		})}
	}},
	{"EmulateViewport", func(string) dp.Tasks {
		return dp.Tasks{dp.EmulateViewport(640, 480), dp.Evaluate(`innerWidth + "x" + innerHeight`, &text), is(&text, "640x480"), emulation.ClearDeviceMetricsOverride()}
	}},
	{"ListenTarget and dialogs", func(string) dp.Tasks {
		return dp.Tasks{dp.ActionFunc(func(ctx context.Context) error {
			dp.ListenTarget(ctx, func(e any) {
				if _, is := e.(*page.EventJavascriptDialogOpening); is {
					go func() { _ = dp.Run(ctx, page.HandleJavaScriptDialog(true).WithPromptText("five")) }()
				}
			})
			return nil
		}), dp.Click("#dialogs"), says("true five")}
	}},
	{"network events and headers", func(site string) dp.Tasks {
		asked := make(chan struct{}, 1)
		return dp.Tasks{dp.ActionFunc(func(ctx context.Context) error {
			dp.ListenTarget(ctx, func(e any) {
				if r, is := e.(*network.EventRequestWillBeSent); is && r.Request.URL == site+"json" {
					asked <- struct{}{}
				}
			})
			return nil
		}), network.Enable(), network.SetExtraHTTPHeaders(network.Headers{"x-extra": "yes"}), dp.Click("#fetch"), says("X-Extra"), dp.ActionFunc(func(ctx context.Context) error {
			select {
			case <-asked:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})}
	}},
	{"cookies", func(site string) dp.Tasks {
		return dp.Tasks{network.SetCookie("old", "14").WithURL(site), dp.ActionFunc(func(ctx context.Context) error {
			cookies, err := network.GetCookies().Do(ctx)
			for _, c := range cookies {
				if c.Name == "old" && c.Value == "14" {
					return nil
				}
			}
			return errors.Join(err, fmt.Errorf("%d cookies, not ours", len(cookies)))
		})}
	}},
	{"WaitNewTarget", func(string) dp.Tasks {
		return dp.Tasks{dp.ActionFunc(func(ctx context.Context) error {
			opened := dp.WaitNewTarget(ctx, func(i *target.Info) bool { return strings.Contains(i.URL, "popup") })
			if err := dp.Click("#pop").Do(ctx); err != nil {
				return err
			}
			select {
			case id := <-opened:
				popup, cancel := dp.NewContext(ctx, dp.WithTargetID(id))
				defer cancel()
				return dp.Run(popup, dp.WaitReady("body"), dp.Title(&text), is(&text, "Popup"))
			case <-ctx.Done():
				return ctx.Err()
			}
		})}
	}},
	{"Targets", func(site string) dp.Tasks {
		return dp.Tasks{dp.ActionFunc(func(ctx context.Context) error {
			infos, err := dp.Targets(ctx)
			for _, i := range infos {
				if i.URL == site {
					return nil
				}
			}
			return errors.Join(err, fmt.Errorf("%d targets, not ours", len(infos)))
		})}
	}},
	{"frames", func(site string) dp.Tasks {
		return dp.Tasks{dp.Navigate(site + "frames.html"), dp.Nodes("iframe", &nodes, dp.ByQuery), dp.ActionFunc(func(ctx context.Context) error {
			return dp.Text("body", &text, dp.ByQuery, dp.FromNode(nodes[0])).Do(ctx)
		}), holds(func() bool { return text != "" })}
	}},
	{"box of a node", func(string) dp.Tasks {
		return dp.Tasks{dp.Nodes("#box", &nodes), dp.ActionFunc(func(ctx context.Context) error {
			box, err := dom.GetBoxModel().WithNodeID(nodes[0].NodeID).Do(ctx)
			if err == nil && box.Width != 100 {
				err = fmt.Errorf("%d wide", box.Width)
			}
			return err
		})}
	}},
	{"version of the browser", func(string) dp.Tasks {
		return dp.Tasks{dp.ActionFunc(func(ctx context.Context) (err error) {
			_, text, _, _, _, err = browser.GetVersion().Do(cdp.WithExecutor(ctx, dp.FromContext(ctx).Browser))
			return err
		}), holds(func() bool { return strings.Contains(text, "Chrome") })}
	}},
}

// is fails where the value is another one when its turn comes.
func is[T comparable](got *T, want T) dp.Action {
	return dp.ActionFunc(func(context.Context) error {
		if *got != want {
			return fmt.Errorf("got %v, want %v", *got, want)
		}
		return nil
	})
}

func holds(fact func() bool) dp.Action {
	return dp.ActionFunc(func(context.Context) error {
		if !fact() {
			return errors.New("not so")
		}
		return nil
	})
}

// says waits for what the page says.
func says(part string) dp.Action {
	return dp.Poll(fmt.Sprintf(`document.querySelector('#said').textContent.includes(%q)`, part), nil)
}

func main() {
	address, site := os.Args[1], os.Args[2]
	var way []dp.RemoteAllocatorOption
	if strings.HasPrefix(address, "ws:") {
		way = append(way, dp.NoModifyURL)
	}
	allocator, cancel := dp.NewRemoteAllocator(context.Background(), address, way...)
	defer cancel()
	root, cancel := dp.NewContext(allocator)
	defer cancel()
	if err := dp.Run(root); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, c := range checks {
		began, complaint := time.Now(), ""
		if err := try(root, c, site); err != nil {
			complaint = err.Error()
		}
		_ = json.NewEncoder(os.Stdout).Encode(map[string]any{"name": c.name, "ms": time.Since(began).Milliseconds(), "error": complaint})
	}
}

// try runs a check in a tab of its own.
func try(root context.Context, c check, site string) error {
	tab, cancel := dp.NewContext(root)
	defer cancel()
	ctx, stop := context.WithTimeout(tab, patience)
	defer stop()
	return dp.Run(ctx, dp.Navigate(site), c.steps(site))
}
