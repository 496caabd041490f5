import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { htmlFiles } from './inline-scripts.ts'

/** Returns what is wrong with a built site: files from other hosts, inline scripts, and links that lead nowhere. */
export function checkSite(folder: string): string[] {
  const pages = htmlFiles(folder)
  const texts = new Map(pages.map((page) => [page, readFileSync(join(folder, page), 'utf8')]))
  const styles = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'))
  return [
    ...[...texts].flatMap(([page, text]) => [...loadsElsewhere(page, text), ...inlineScripts(page, text)]),
    ...styles.flatMap((file) => remoteStyles(file, readFileSync(join(folder, file), 'utf8'))),
    ...[...texts].flatMap(([page, text]) => brokenLinks(folder, page, text, texts)),
  ]
}

const loading =
  /<(?:script|img|iframe|source|video|audio|link)\b[^>]*?\b(?:src|srcset|href)="((?:https?:)?\/\/[^"]*)"[^>]*>/g

const loadsElsewhere = (page: string, text: string): string[] =>
  [...text.matchAll(loading)].map(([, address]) => `${page} loads ${address}`)

const inlineScripts = (page: string, text: string): string[] =>
  [...text.matchAll(/<script\b[^>]*>[^<]/g)].map(() => `${page} has an inline script`)

const remoteStyles = (file: string, text: string): string[] =>
  [...text.matchAll(/url\(["']?((?:https?:)?\/\/[^)"']*)/g)].map(([, address]) => `${file} loads ${address}`)

function brokenLinks(folder: string, page: string, text: string, texts: ReadonlyMap<string, string>): string[] {
  const broken: string[] = []
  for (const [, link] of text.matchAll(/<a\b[^>]*?\bhref="([^"]*)"/g)) {
    if (/^(?:https?:|mailto:|data:)/.test(link!)) continue
    const [path = '', anchor] = decodeURIComponent(link!).split('#')
    const target = path === '' ? page : fileOf(folder, page, path)
    if (target === undefined) broken.push(`${page} links to ${link}`)
    // typedoc has checked the headings of its own pages.
    else if (
      anchor &&
      !target.startsWith('library/') &&
      !texts.get(target)?.includes(`id="${anchor.replaceAll('"', '&quot;')}"`)
    )
      broken.push(`${page} links to ${link}, a heading that does not exist`)
  }
  return broken
}

/** Returns the file that a link opens, relative to the folder; undefined if there is none. */
function fileOf(folder: string, page: string, path: string): string | undefined {
  const place = path.startsWith('/') ? path.replace(/^\/docs(\/|$)/, '') : join(dirname(page), path)
  const names = [place, join(place, 'index.html'), `${place}.html`]
  return names.find((name) => existsSync(join(folder, name)) && statSync(join(folder, name)).isFile())
}
