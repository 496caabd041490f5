import { texts } from '../../texts/texts.ts'
import { basePath } from './here.ts'

/** A part is in a newer version of the page only. */
export class NewerPageError extends Error {
  constructor() {
    super(texts.problems.newerPage)
  }
}

/**
 * Loads a part of the page that is not there from the start. Where the server has a newer page by now, and with it other
 * parts, that one is loaded: what is being written is kept. Else throws an Error that says what to do. What nobody on this
 * page `asked` for, such as a poll that somebody sends, takes it away from no one: then that is a NewerPageError.
 */
export async function loadPart<T>(load: () => Promise<T>, { asked = true } = {}): Promise<T> {
  try {
    return await load()
  } catch {
    if (!(await isOutdated())) throw new Error(texts.problems.partNotLoaded)
    if (!asked) throw new NewerPageError()
    location.reload()
    return new Promise(() => {})
  }
}

/** Whether the server's page begins with another script than this one did. */
async function isOutdated(): Promise<boolean> {
  const script = document.querySelector('script[type=module]')?.getAttribute('src')
  const page = await fetch(basePath, { cache: 'no-cache' }).catch(() => undefined)
  return page?.ok === true && script !== null && script !== undefined && !(await page.text()).includes(script)
}
