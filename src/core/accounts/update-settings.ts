import * as v from 'valibot'
import { requireVoice } from '../access/silence.ts'
import { observersOf } from '../access/user-visibility.ts'
import { emit } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import { recordAct } from '../kernel/audit.ts'
import { seconds } from '../kernel/base/clock.ts'
import { Hidden } from '../kernel/base/difference.ts'
import type { Caller, Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, ids, line, text } from '../kernel/fields.ts'
import { isAdministrator } from '../kernel/roles.ts'
import { sendsMail } from '../mail/mail-service.ts'
import { requireAllowedFields } from '../review/filters/require.ts'
import { settingsOf } from '../settings/organization.ts'
import { changeParams } from '../settings/setting.ts'
import { userSettingNames, userSettings } from '../settings/user.ts'
import { changeUser } from '../users/people.ts'
import { requestEmailChange } from './change-email.ts'
import { email, fullName, password } from './create.ts'
import { directoryOf } from './directory-accounts.ts'
import { requireProof } from './key-page.ts'
import { requireKey, setPassword } from './keys.ts'
import { changeOthers } from './others-settings.ts'
import { hashPassword, tryPassword, verifyPassword } from './passwords.ts'
import { requireUnpredictable } from './predictable-password.ts'
import { passwordRule } from './providers/sign-on.ts'
import { announce, setSetting } from './set-setting.ts'
import { giveEmail, setFullName } from './update-user.ts'

const timezone = v.pipe(
  line,
  v.check((zone) => zone === '' || isTimezone(zone), 'timezone is not a recognized time zone'),
)

/** What the audit log says of a password. */
const HIDDEN = new Hidden('')

/**
 * PATCH /settings, and its older form PATCH /settings/notifications: changes the given settings.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for the settings of others, unless the caller is an administrator
 * @throws SILENCED for a new name while a moderator has silenced the caller
 * @throws BAD_REQUEST "Wrong password!", and for a name that is taken or may not be changed
 */
export const updateSettings = action(
  {
    name: 'updateSettings',
    summary: 'Update your settings',
    audit: {
      subject: 'user',
      id: (_, { user }) => user.id,
      apart: ['password_hash'],
      details: ({ target_users, ...given }) =>
        target_users
          ? {
              ...target_users,
              settings: Object.keys(given).filter((name) => given[name as keyof typeof given] != null),
            }
          : undefined,
    },
    params: v.object({
      full_name: described(v.nullish(fullName), 'Your full name.'),
      email: described(
        v.nullish(email),
        'Your email address. If the server sends email, it changes when you confirm it with a link in an email to the new address.',
      ),
      timezone: described(v.nullish(timezone), 'IANA name of your time zone, or empty for none.'),
      target_users: described(
        v.nullish(
          v.object({
            user_ids: v.nullish(ids, []),
            group_ids: v.nullish(ids, []),
            skip_if_already_edited: v.boolean(),
          }),
        ),
        'Users whose settings to change instead of your own. Only for administrators.',
      ),
      old_password: described(
        v.nullish(text),
        'Your current password, required to change it. An account without one confirms with a code of its authenticator app, a passkey, or a sign-in in the last five minutes.',
      ),
      new_password: described(v.nullish(password), 'The new password.'),
      ...changeParams(userSettings),
    }),
    result: v.strictObject({
      /** The new address, if it must be confirmed with a link in an email to it. */
      confirmation_sent_to: v.exactOptional(v.string()),
    }),
    errors: ['UNAUTHORIZED_PRINCIPAL', 'SILENCED'],
  },
  async (caller, { target_users, ...given }) => {
    if (target_users) {
      await changeOthers(caller, target_users, given)
      return {}
    }
    const { full_name, email, timezone, old_password, new_password, ...requested } = given
    const { chat, user } = caller
    let password_hash: string | undefined
    let first_password_at: number | null = null
    let before: string | null = null
    if (new_password) {
      const elsewhere = await directoryOf(caller, user)
      if (elsewhere) {
        throw badRequest(`Your password is managed by ${elsewhere.directory.rules.display_name}. Change it there.`)
      }
      const stored = await caller.db
        .selectFrom('user')
        .select(['password_hash', 'first_password_at'])
        .where('id', '=', user.id)
        .executeTakeFirst()
      before = stored?.password_hash ?? null
      if (stored?.password_hash == null) {
        await requireFirstPassword(caller, old_password ?? '')
        first_password_at = seconds(chat.clock)
      } else {
        const { password_hash: hash } = stored
        first_password_at = stored.first_password_at
        const right = await tryPassword(caller, user.delivery_email, () =>
          verifyPassword(old_password ?? '', hash, chat.options.passwordCost),
        )
        if (!right) throw badRequest('Wrong password!')
      }
      await requireUnpredictable(caller, { ...user, email: user.delivery_email }, { new_password })
      password_hash = await hashPassword(new_password, chat.options.passwordCost)
    }
    return caller.write(async (tx) => {
      if (password_hash || email) await requireKey(tx)
      if (password_hash) {
        await requireSamePassword(tx, before)
        await setPassword(tx, user.id, password_hash, caller.key_id, first_password_at)
        await recordPassword(tx, before)
      }
      if (full_name && full_name !== user.full_name) {
        if ((await settingsOf(tx)).name_changes_disabled && !isAdministrator(user)) {
          throw badRequest('Name changes are disabled in this organization.')
        }
        await requireVoice(tx)
        await requireAllowedFields(tx, { full_name })
        await setFullName(tx, user, full_name)
      }
      if (timezone != null && timezone !== user.timezone) await setTimezone(tx, timezone)
      const confirms = email && email !== user.delivery_email && (await changeOwnEmail(tx, email))
      for (const name of userSettingNames) {
        const given = requested[name]
        if (given) await setSetting(tx, name, given.value, 'own')
      }
      return confirms ? { confirmation_sent_to: email } : {}
    })
  },
)

/** Throws if the password that was checked before the write has changed since. The second of two changes needs the first. */
async function requireSamePassword({ db, user }: Tx, before: string | null): Promise<void> {
  const now = await db.selectFrom('user').select('password_hash').where('id', '=', user.id).executeTakeFirst()
  if ((now?.password_hash ?? null) !== before) throw badRequest('Wrong password!')
}

/** Under the same name as each new password, so that the audit log can be searched for it. */
const recordPassword = (tx: Tx, before: string | null) =>
  recordAct(tx, {
    action: 'setPassword',
    subject_kind: 'user',
    subject_id: tx.user.id,
    before: { password_hash: before && HIDDEN },
    after: { password_hash: HIDDEN },
  })

/** Changes the caller's address, or returns true if it must be confirmed first. */
async function changeOwnEmail(tx: Tx, email: string): Promise<boolean> {
  if ((await settingsOf(tx)).email_changes_disabled && !isAdministrator(tx.user)) {
    throw badRequest('Email address changes are disabled in this organization.')
  }
  const confirms = await sendsMail(tx)
  await (confirms ? requestEmailChange(tx, tx.user, email) : giveEmail(tx, tx.user, email))
  return confirms
}

async function setTimezone(tx: Tx, timezone: string): Promise<void> {
  const { id: user_id, email } = tx.user
  await changeUser(tx, user_id, { timezone })
  await announce(tx, 'timezone', timezone)
  await emit(
    tx,
    { type: 'realm_user', op: 'update', person: { user_id, email, timezone } },
    await observersOf(tx, tx.user),
  )
}

function isTimezone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}

/** Throws unless an account without a password may have one, and its owner confirms with what else it has. */
async function requireFirstPassword(caller: Caller, given: string): Promise<void> {
  if (!(await passwordRule(caller, caller.user.delivery_email)).allowed)
    throw badRequest("Your account can't have a password. Sign in with your identity provider.")
  await requireProof(caller, given)
}
