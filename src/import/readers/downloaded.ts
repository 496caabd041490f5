import type { Archive } from '../archive/archive.ts'

/** The name of the downloaded copy of a file, if there is one. */
export const downloadedCopy = (archive: Archive, url: string | undefined): string | undefined =>
  url !== undefined && /^https:\/\//.test(url) && URL.canParse(url) ? archive.downloaded?.(url) : undefined

/** Why a file is left out if the archive has only its address. */
export const onlyUrl = (archive: Archive): string =>
  archive.downloaded ? "it couldn't be downloaded" : 'the archive contains only its URL'
