import { getAsset, getAssetKeys } from 'node:sea'
import type { StoredFiles } from '../../../src/http/web/stored-files.ts'
import { WEB_ASSETS } from './assets.ts'

/** Returns the web client among the assets of the executable. */
export const builtFiles = (): StoredFiles => ({
  names: getAssetKeys()
    .filter((key) => key.startsWith(WEB_ASSETS))
    .map((key) => key.slice(WEB_ASSETS.length)),
  read: async (name) => new Uint8Array(getAsset(WEB_ASSETS + name)),
})
