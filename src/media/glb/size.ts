// How large a preview is: drawn a little larger and then scaled down, which smooths its edges. Drawn twice as large it takes
// two and a half times as long and looks the same on a phone.

export const previewPixels = 1024
export const drawnPixels = 1280
