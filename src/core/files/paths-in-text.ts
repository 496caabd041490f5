import { UPLOADS_PATH } from './names.ts'

const link = new RegExp(`${UPLOADS_PATH}/([\\p{L}\\p{M}\\p{N}_.%/-]+)`, 'gu')

/** Returns paths of files that a text may refer to. Rendering decides. */
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
