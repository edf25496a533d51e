package adapter

import (
	"context"
	"encoding/base64"
	"fmt"
)

// webpLimit is how many bytes of a picture go through the page to become WebP.
const webpLimit = 40 << 20

// webp turns a PNG into a WebP, which only the browser can write: a canvas of
// the page script's own does it, that is no part of the page.
func (a *actor) webp(ctx context.Context, png []byte, quality int) ([]byte, error) {
	if len(png) > webpLimit {
		return nil, fail(ErrInvalid, "give a smaller maxSize, or use jpeg", "the screenshot is too large to label as webp")
	}
	data, err := ask[string](ctx, a.page, a.main(), fmt.Sprintf(`(async () => {
  const picture = await createImageBitmap(new Blob([Uint8Array.from(atob("%s"), (c) => c.charCodeAt(0))]));
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  canvas.getContext("2d").drawImage(picture, 0, 0);
  const made = await canvas.convertToBlob({type: "image/webp", quality: %d / 100});
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",")[1]);
    reader.readAsDataURL(made);
  });
})()`, base64.StdEncoding.EncodeToString(png), quality))
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(data)
}
