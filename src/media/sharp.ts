// The image library, loaded when the first image comes: it costs time at the start and memory.

export const loadSharp = async () => (await import('sharp')).default
