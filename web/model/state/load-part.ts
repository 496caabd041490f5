import { texts } from '../../texts/texts.ts'
import { basePath } from '../here.ts'
import { inLanguage } from './language.ts'

/** Only a newer version of the page has this part. */
export class NewerPageError extends Error {
  constructor() {
    super(texts.problems.newerPage)
  }
}

/**
 * Loads a part of the page on demand. If the server has a newer page with other parts, that page is loaded, and unsent
 * drafts are kept. Otherwise it throws an Error that says what to do. Parts that the reader didn't ask for, such as a
 * poll in a new message, must not reload the page: they throw NewerPageError.
 */
export async function loadPart<T>(load: () => Promise<T>, { asked = true } = {}): Promise<T> {
  try {
    return await inLanguage(load)
  } catch {
    if (!(await isOutdated())) throw new Error(texts.problems.partNotLoaded)
    if (!asked) throw new NewerPageError()
    location.reload()
    return new Promise(() => {})
  }
}

/** Whether the server's page begins with another script than this one did. */
async function isOutdated(): Promise<boolean> {
  const script = document.querySelector('script[src]')?.getAttribute('src')
  const page = await fetch(basePath, { cache: 'no-cache' }).catch(() => undefined)
  return page?.ok === true && script !== null && script !== undefined && !(await page.text()).includes(script)
}
