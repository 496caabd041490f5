import type { Person } from '../../../model/reading/people.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { attempt } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { openErase } from './erase-form.tsx'
import { openMerge } from './merge-form.tsx'

/** What the reader can do with a deactivated account. */
export function FormerUser({ person, isOwner }: { person: Person; isOwner: boolean }) {
  const session = useSession()
  const { user_id, full_name, is_bot, is_deleted, is_imported_stub } = person
  return (
    <>
      {/* Nobody signs in as a stub. */}
      {!is_imported_stub && (
        <button
          type="button"
          aria-label={pageTexts.users.reactivateName(full_name)}
          onClick={() => attempt(() => session.client.reactivateUser({ user_id }))}
        >
          {pageTexts.users.reactivate}
        </button>
      )}
      {isOwner && is_imported_stub && !is_bot && (
        <button
          type="button"
          aria-label={pageTexts.users.mergeName(full_name)}
          onClick={() => openMerge(session, person)}
        >
          {pageTexts.users.merge}
        </button>
      )}
      {isOwner && !is_bot && !is_deleted && (
        <button
          type="button"
          aria-label={pageTexts.users.eraseName(full_name)}
          onClick={() => openErase(session, person)}
        >
          {pageTexts.users.erase}
        </button>
      )}
    </>
  )
}
