import { getAsset, getAssetKeys } from 'node:sea'
import type { BuiltPart } from '../../../src/http/web/built-files.ts'
import type { WebFilesReader } from '../../../src/http/web/stored-files.ts'
import { WEB_ASSETS } from './assets.ts'

/** Returns the web client among the assets of the executable, which has no documentation. */
export const builtFiles = (part: BuiltPart = 'web'): WebFilesReader | undefined =>
  part === 'web' ? webClient : undefined

const webClient: WebFilesReader = {
  names: getAssetKeys()
    .filter((key) => key.startsWith(WEB_ASSETS))
    .map((key) => key.slice(WEB_ASSETS.length)),
  read: async (name) => new Uint8Array(getAsset(WEB_ASSETS + name)),
}
