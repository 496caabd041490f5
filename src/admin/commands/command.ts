import * as v from 'valibot'
import { systemCaller } from '../../core/accounts/create-organization.ts'
import { record, recordAct } from '../../core/kernel/audit.ts'
import type { SubjectKind } from '../../core/kernel/audit-subjects.ts'
import type { Facts } from '../../core/kernel/base/difference.ts'
import type { Chat } from '../../core/kernel/chat.ts'
import type { Context, Tx } from '../../core/kernel/context.ts'
import { badRequest } from '../../core/kernel/errors.ts'
import type { User } from '../../core/kernel/user.ts'
import { findUserByEmail } from '../../core/users/access.ts'

/** A command of the command line: the schema of its arguments, which may come over a socket, and its function. */
export interface Command<P extends v.GenericSchema, R extends object> {
  params: P
  /** `report` is called with the progress of a long command. `ended` aborts when nobody waits for its result. */
  run(chat: Chat, params: v.InferOutput<P>, report: (progress: string) => void, ended?: AbortSignal): Promise<R>
}

export const command = <P extends v.GenericSchema, R extends object>(
  params: P,
  run: Command<P, R>['run'],
): Command<P, R> => ({ params, run })

export const email = v.string()

/** Writes with an owner's rights: a user who can run commands owns the database. */
export async function writeAsOwner<T>(chat: Chat, work: (tx: Tx) => Promise<T>): Promise<T> {
  return (await systemCaller(chat)).write(work)
}

/** Runs work about an account in a write, and records it under the name of the action that does the same. */
export const recordUser = <T>(tx: Tx, action: string, user_id: number, work: () => Promise<T>, details?: Facts) =>
  record(
    tx,
    { action, rule: { subject: 'user', id: () => user_id, ...(details && { details: () => details }) }, params: {} },
    work,
  )

/** Records a new account. */
export const recordNewUser = (tx: Tx, work: () => Promise<User>): Promise<User> =>
  record(tx, { action: 'createUser', rule: { subject: 'user', made: ({ id }) => id }, params: {} }, work)

/** Records what a command did outside a write of its own, such as a file that it wrote. */
export async function recordCommand(chat: Chat, action: string, subject_kind: SubjectKind, after: Facts) {
  await (await systemCaller(chat)).write((tx) => recordAct(tx, { action, subject_kind, after }))
}

export async function accountOf({ db }: Pick<Context, 'db'>, address: string) {
  const user = await findUserByEmail(db, address)
  if (!user) throw badRequest(`No account has the email address ${address}`)
  return user
}
