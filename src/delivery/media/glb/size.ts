// How large a preview is: drawn at twice its size and then scaled down, which smooths its edges.

export const previewPixels = 1024
export const drawnPixels = 2 * previewPixels
