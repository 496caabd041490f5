import { texts } from '../../texts/texts.ts'
import { notify } from './notices.tsx'

/** Copies a text. Browsers allow it to pages that came by https or from the same machine, and there not always. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    throw new Error(texts.common.copyBlocked)
  }
}

/** Copies the address of something on this page, and says so. */
export async function copyLink(address: string): Promise<void> {
  await copyText(new URL(address, location.href).href)
  notify(texts.common.linkCopied)
}
