import { avatarOf, type Presence } from '../../model/reading/people.ts'
import { isFirstViewDrawn } from '../../model/state/first-draw.ts'
import { useSession } from '../session-context.ts'
import { drawnColor } from './drawn-color.ts'

interface AvatarProps {
  user_id: number
  size: number
  presence?: Presence
  /** The address of the avatar until users are known. */
  meanwhile?: string
}

/**
 * A user's avatar, drawn after the text of the first view. Hidden from screen readers, because the name is beside it.
 */
export function Avatar({ user_id, size, presence, meanwhile }: AvatarProps) {
  const url = avatarOf(useSession(), user_id) ?? meanwhile
  return (
    <span class="avatar">
      <Picture url={url} size={size} />
      {presence && <span class={`presence ${presence}`} />}
    </span>
  )
}

function Picture({ url, size }: { url: string | undefined; size: number }) {
  const drawn = drawnPicture(url ?? '')
  // It grows with the text.
  const rem = (px: number) => `${px / 16}rem`
  const place = { width: rem(size), height: rem(size) }
  if (drawn) {
    const { hue, initials } = drawn
    const fontSize = rem(size * (initials.length > 1 ? 0.4 : 0.5))
    const style = { ...place, background: drawnColor(hue), fontSize }
    return <span class="drawn" style={style} data-initials={initials} />
  }
  if (url === undefined || !isFirstViewDrawn.value) return <span class="blank" style={place} />
  return <img src={url} alt="" style={place} loading="lazy" decoding="async" />
}

/**
 * The address of an initials avatar contains all that it shows. The page draws it by itself instead of fetching it. Returns
 * undefined for other pictures.
 */
function drawnPicture(url: string): { hue: number; initials: string } | undefined {
  const [, hue, initials] = /\/drawn\/(\d{1,3})-([^/]+)\.png$/.exec(url) ?? []
  return hue && initials ? { hue: Number(hue), initials: decodeURIComponent(initials) } : undefined
}
