import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Session } from '../../model/state/session.ts'
import type { GifProvider } from '../../model/writing/gif-provider.ts'
import { findGifs, type Gif, gifFile } from '../../model/writing/gifs.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { closeDialog, openPopover } from '../parts/dialog.tsx'
import { attempt } from '../parts/notices.tsx'

/** The search begins this long after the last keystroke. */
const QUIET_MS = 300

interface PickerProps {
  session: Session
  provider: GifProvider
  /** Takes the GIF as a file. */
  add(files: readonly File[]): void
}

/** Finds a GIF of the operator's provider, and gives it to the composer. */
export const openGifPicker = (props: PickerProps): void => openPopover(pieceTexts.gifs.title, <GifPicker {...props} />)

function GifPicker({ session, provider, add }: PickerProps) {
  const words = useSignal('')
  const found = useSignal<readonly Gif[] | undefined>(undefined)
  const hasFailed = useSignal(false)
  const query = words.value.trim()
  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    const search = async () => {
      try {
        const gifs = await findGifs(provider, { words: query, rating: session.state.realm_gif_rating_policy, signal })
        found.value = gifs
        hasFailed.value = false
      } catch {
        if (!signal.aborted) hasFailed.value = true
      }
    }
    const timer = setTimeout(() => void search(), query === '' ? 0 : QUIET_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [query])
  const pick = (gif: Gif) => {
    closeDialog()
    attempt(async () => {
      const file = await gifFile(gif).catch(() => {
        throw new Error(pieceTexts.gifs.failed(provider.name))
      })
      add([file])
    })
  }
  return (
    <div class="gif-picker">
      <input
        type="search"
        aria-label={pieceTexts.gifs.find(provider.name)}
        placeholder={pieceTexts.gifs.find(provider.name)}
        onInput={(event) => (words.value = event.currentTarget.value)}
      />
      <p class="problem" role="alert">
        {hasFailed.value && pieceTexts.gifs.failed(provider.name)}
      </p>
      {found.value?.length === 0 && <p class="quiet">{pieceTexts.gifs.nothing}</p>}
      <ul>
        {(found.value ?? []).map((gif) => (
          <li key={gif.id}>
            <button type="button" onClick={() => pick(gif)}>
              <img src={gif.preview} alt={gif.title} loading="lazy" referrerpolicy="no-referrer" />
            </button>
          </li>
        ))}
      </ul>
      <p class="quiet small">{pieceTexts.gifs.poweredBy(provider.name)}</p>
    </div>
  )
}
