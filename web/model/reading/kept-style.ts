/**
 * Where style attributes wait while HTML is parsed: the page's policy refuses them already then, even in a document that
 * is never shown, but not styles set by script.
 */
export const KEPT_STYLE = 'data-kept-style'

export const keepStyles = (html: string): string =>
  html.replace(/<[a-z][^>]*? style="[^>]*>/gi, (tag) => tag.replaceAll(' style="', ` ${KEPT_STYLE}="`))
