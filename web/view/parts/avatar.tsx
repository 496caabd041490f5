import { avatarOf, type Presence } from '../../model/reading/people.ts'
import { isAtRest } from '../../model/state/at-rest.ts'
import { useSession } from '../session-context.ts'

interface AvatarProps {
  user_id: number
  size: number
  presence?: Presence
  /** The address of the picture until people are known. */
  meanwhile?: string | null
}

/** Somebody's picture, which comes after the words of the first view. It says nothing to a screen reader: the name stands beside it. */
export function Avatar({ user_id, size, presence, meanwhile }: AvatarProps) {
  const url = avatarOf(useSession(), user_id) ?? meanwhile ?? `/avatar/${user_id}`
  return (
    <span class="avatar">
      {isAtRest.value ? (
        <img src={url} alt="" width={size} height={size} loading="lazy" decoding="async" />
      ) : (
        <span class="blank" style={{ width: size, height: size }} />
      )}
      {presence && <span class={`presence ${presence}`} />}
    </span>
  )
}
