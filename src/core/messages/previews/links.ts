/** Links of one message that get a preview. */
const MOST = 3
const LINK = /<a href="(https?:\/\/[^"]+)"/g
/** Links in them belong to others, or are examples. */
const QUOTES = /<blockquote>[\s\S]*?<\/blockquote>|<code>[\s\S]*?<\/code>/g

/** Returns the links of a message that get a preview: not those in quotes, nor those that its author wrote between < and >. */
export function linksToPreview({ content, rendered_content }: { content: string; rendered_content: string }): string[] {
  const found = [...rendered_content.replace(QUOTES, '').matchAll(LINK)].map(([, href]) => unescaped(href!))
  return [...new Set(found)].filter((url) => !content.includes(`<${url}>`)).slice(0, MOST)
}

const characters: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }
const unescaped = (text: string): string => text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => characters[entity]!)
