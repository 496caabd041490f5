import type { ComponentChildren } from 'preact'
import { addressOf } from '../../model/reading/conversations.ts'
import { namesOf, personOf, presenceOf, presenceWord, statusOf } from '../../model/reading/people.ts'
import { loadPart } from '../../model/state/load-part.ts'
import { go, goToNarrow } from '../../model/state/route.ts'
import type { Session } from '../../model/state/session.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { StatusEmoji } from '../emoji/status-emoji.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { closeDialog } from '../parts/dialog.tsx'
import { attempt } from '../parts/notices.tsx'
import { shortTime } from '../parts/times.ts'
import { useSession } from '../session-context.ts'

const pages = () => loadPart(() => import('../settings/loaded-pages.ts'))

const roleNames: Readonly<Record<number, string>> = {
  100: pieceTexts.cards.owner,
  200: pieceTexts.cards.administrator,
  300: pieceTexts.cards.moderator,
  400: pieceTexts.cards.member,
  600: pieceTexts.cards.guest,
}

/** A user's profile card with actions. */
export function PersonCard({ user_id }: { user_id: number }) {
  const session = useSession()
  const person = personOf(session, user_id)
  if (!person) return null
  const { delivery_email, role, is_bot, is_active, timezone, profile_data = {} } = person
  const status = statusOf(session, user_id)
  const presence = presenceOf(session, user_id)
  const fields = session.state.custom_profile_fields.flatMap((field) => {
    const value = profile_data[field.id]?.value
    return value ? [[field.name, shownValue(session, field, value), field.id] as const] : []
  })
  const rows: (readonly [name: string, value: ComponentChildren, field_id?: number])[] = [
    [
      pieceTexts.cards.status,
      (status || undefined) && (
        <>
          <StatusEmoji user_id={user_id} /> {status?.status_text}
        </>
      ),
    ],
    [pieceTexts.cards.now, is_active ? presenceWord(presence) : texts.people.deactivated],
    [pieceTexts.cards.role, is_bot ? pieceTexts.cards.bot : roleNames[role]],
    [pieceTexts.cards.email, delivery_email],
    [pieceTexts.cards.localTime, localTime(timezone, session.state.user_settings.twenty_four_hour_time)],
    ...fields,
  ]
  const open = (work: () => void) => () => {
    closeDialog()
    work()
  }
  return (
    <div class="profile">
      <Avatar user_id={user_id} size={80} />
      <dl>
        {rows.map(([name, value, field_id]) =>
          value ? (
            <div key={field_id ?? name}>
              <dt class="quiet">{name}</dt>
              <dd>{value}</dd>
            </div>
          ) : null,
        )}
      </dl>
      <footer>
        {session.state.is_moderator && user_id !== session.state.user_id && (
          <button type="button" onClick={() => attempt(async () => (await pages()).openModerate(session, person))}>
            {pieceTexts.cards.moderate}
          </button>
        )}
        <button type="button" onClick={open(() => goToNarrow([{ operator: 'sender', operand: user_id }]))}>
          {pieceTexts.cards.messages}
        </button>
        <button
          type="button"
          class="primary"
          onClick={open(() => go(addressOf({ type: 'direct', user_ids: [user_id] })))}
        >
          {pieceTexts.cards.message}
        </button>
      </footer>
    </div>
  )
}

const [SELECT, LINK, USERS] = [3, 5, 6]

/** The value of a custom profile field. A choice is stored as its key, and people as a list of IDs. */
function shownValue(
  session: Session,
  { type, field_data }: Session['state']['custom_profile_fields'][number],
  value: string,
): ComponentChildren {
  if (type === SELECT) return (JSON.parse(field_data) as Record<string, { text: string }>)[value]?.text
  if (type === USERS) return namesOf(session, JSON.parse(value) as number[])
  if (type !== LINK || !/^https?:/i.test(value)) return value
  return (
    <a href={value} target="_blank" rel="noopener noreferrer">
      {value}
    </a>
  )
}

/** What their clock shows, where their zone is known. */
function localTime(timeZone: string, hours24: boolean): string | undefined {
  if (timeZone === '') return undefined
  try {
    return shortTime(new Date(), hours24, timeZone)
  } catch {
    return undefined
  }
}
