/** What a picture shows that the server has drawn from somebody's initials. */
export interface DrawnPicture {
  hue: number
  initials: string
}

/**
 * The address of a drawn picture contains all that it shows. A page draws it by itself: it need not be fetched, and an image that is a
 * document of its own is painted again in each frame of scrolling. Undefined for other pictures.
 */
export function drawnPicture(url: string): DrawnPicture | undefined {
  const [, hue, initials] = /\/drawn\/(\d{1,3})-([^/]+)\.svg$/.exec(url) ?? []
  return hue && initials ? { hue: Number(hue), initials: decodeURIComponent(initials) } : undefined
}
