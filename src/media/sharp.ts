// Loads the image library when it is first needed: loading it takes memory, and would take time at the start.

export const loadSharp = async () => (await import('sharp')).default
