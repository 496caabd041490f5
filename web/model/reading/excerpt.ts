/** The text of rendered markup, such as the content of a message, without its formatting. */
export const plainText = (html: string): string =>
  new DOMParser().parseFromString(html, 'text/html').body.textContent?.trim() ?? ''
