/** The only module of storage that the layers above import. */
export { BLOB_CHUNK_BYTES, createBlob, insertBlob, putBlobChunk, readBlob, shortenBlob } from './blobs.ts'
export { type CopiedTable, copyDatabase } from './copy.ts'
export type { Dialect } from './dialect.ts'
export { spaceOnDisk } from './disk-space.ts'
export { MustRunAlone, StorageError } from './errors.ts'
export { type Flag, flag, isSet, isUnset } from './flags.ts'
export { addressKey, fold } from './fold.ts'
export type { Db, TxDb } from './handle.ts'
export type { Migration } from './migration.ts'
export type { OpenOptions } from './open-options.ts'
export { isFile, nameOf, openStore } from './open-store.ts'
export { realFile } from './real-file.ts'
export { piecesOf } from './search/pieces.ts'
export type { SearchIndex, SearchText } from './search/search-index.ts'
export { createSecrets, makeSecret, readSecret, replaceSecret, type Secrets, secretFile } from './secret-file.ts'
export { after, type Soon } from './soon.ts'
export { type FileSystemFinding, fileSystemProblem, readMounts } from './sqlite/file/file-system.ts'
export { type StagedRestore, stageRestore } from './sqlite/restore.ts'
export { insertion, statement } from './statement.ts'
export type {
  IdRange,
  Inspection,
  PeerLock,
  PeerNews,
  Peers,
  SnapshotOptions,
  Store,
  StoreSizes,
  WriteOptions,
  WriteScope,
} from './store.ts'
export type * from './tables/audit.ts'
export type * from './tables/bots.ts'
export type * from './tables/events.ts'
export type * from './tables/exports.ts'
export type * from './tables/files.ts'
export type * from './tables/groups.ts'
export type * from './tables/imports.ts'
export type { Tables } from './tables/index.ts'
export type * from './tables/invitations.ts'
export type * from './tables/mail.ts'
export type * from './tables/mail-in.ts'
export type * from './tables/messages.ts'
export type * from './tables/moderation.ts'
export type * from './tables/newcomers.ts'
export type * from './tables/organization.ts'
export type * from './tables/passkeys.ts'
export type * from './tables/personal.ts'
export type * from './tables/second-factor.ts'
export type * from './tables/streams.ts'
export type * from './tables/users.ts'
export type * from './tables/web-push.ts'
export { nextTurn, timers } from './timers.ts'
