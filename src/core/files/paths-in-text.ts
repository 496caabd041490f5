import { UPLOADS_PATH } from './names.ts'

const link = new RegExp(`${UPLOADS_PATH}/([\\p{L}\\p{M}\\p{N}_.%/-]+)`, 'gu')

/** Paths of files that a text may refer to; what it does refer to rendering tells. */
export function pathsIn(content: string): string[] {
  if (!content.includes(UPLOADS_PATH)) return []
  const paths = [...content.matchAll(link)].map(([, path]) => {
    try {
      return decodeURIComponent(path!)
    } catch {
      return path!
    }
  })
  return [...new Set(paths)]
}
