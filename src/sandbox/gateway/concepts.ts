// The camera and motion effects of MODEL-VIDEO-DREAM. gateway-api.md shows neither the keys nor the shape of the list; here it is
// `{"data": [{"key": "...", "name": "..."}]}`.

const concepts = [
  { key: 'static', name: 'Static' },
  { key: 'pan_left', name: 'Pan left' },
  { key: 'pan_right', name: 'Pan right' },
  { key: 'tilt_up', name: 'Tilt up' },
  { key: 'tilt_down', name: 'Tilt down' },
  { key: 'zoom_in', name: 'Zoom in' },
  { key: 'zoom_out', name: 'Zoom out' },
  { key: 'dolly_zoom', name: 'Dolly zoom' },
  { key: 'orbit_left', name: 'Orbit left' },
  { key: 'orbit_right', name: 'Orbit right' },
  { key: 'crane_up', name: 'Crane up' },
  { key: 'handheld', name: 'Handheld' },
] as const

export const isConcept = (key: string): boolean => concepts.some((concept) => concept.key === key)

export const conceptList = () => ({ data: concepts })
