import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { root } from '../../scripts/imports.ts'

/**
 * Runs code in a process of its own whose browser has a language, with the page's texts in it. The page reads its
 * language only once. Returns the `result` that the code declares.
 *
 * @param code - statements of JavaScript; `load(path)` imports a module of the repository
 */
export async function inLanguage<T>(language: string, code: string): Promise<T> {
  const program = `
    Object.defineProperty(globalThis, 'navigator', { value: { languages: ['${language}'] }, configurable: true })
    const load = (path) => import('file://${root}/' + path)
    const { speak, loadRest } = await load('web/texts/spoken.ts')
    await speak('${language}')
    await loadRest()
    ${code}
    console.log(JSON.stringify(result))`
  const options = ['--import', 'tsx', '--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: root, maxBuffer: 2 ** 26 })
  return JSON.parse(stdout) as T
}
