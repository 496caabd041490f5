import * as v from 'valibot'
import { importerOf } from '../../core/files/import-uploads.ts'
import { linkBase } from '../../core/kernel/public-url.ts'
import { listImports as list, showImport as show } from '../../core/organization/imports/list.ts'
import { inviteNewcomers as invite } from '../../core/organization/imports/newcomers.ts'
import { importArchive } from '../../core/organization/imports/run.ts'
import { undoImport as undo } from '../../core/organization/imports/undo.ts'
import { sources } from '../../import/format.ts'
import { command } from './command.ts'

const id = v.pipe(v.number(), v.integer(), v.minValue(1))

/** Imports an archive that lies on this machine, or reports what it would bring. */
export const importData = command(
  v.object({
    file: v.string(),
    from: v.optional(v.picklist(sources)),
    /** Pairs: a person of the source, and an address, `stub` or `skip`. */
    mapping: v.optional(v.array(v.tuple([v.string(), v.string()]))),
    into: v.optional(v.boolean()),
    dry_run: v.optional(v.boolean()),
    download_files: v.optional(v.boolean()),
    topics: v.optional(v.union([v.picklist(['one', 'by-day']), v.object({ gap: v.pipe(v.number(), v.minValue(60)) })])),
  }),
  async (chat, { dry_run, download_files, mapping, ...options }, report) =>
    importerOf(chat).alone(() =>
      importArchive(
        chat,
        {
          ...options,
          dryRun: dry_run,
          downloadFiles: download_files,
          mapping: new Map(mapping),
          onProgress: (progress) => report(JSON.stringify(progress)),
        },
        report,
      ),
    ),
)

/** Creates links for the people whom an import brought, or emails them. */
export const inviteNewcomers = command(v.object({ id, mail: v.optional(v.boolean(), false) }), async (chat, args) => ({
  base: linkBase(chat) ?? null,
  newcomers: await invite(chat, args.id, args),
}))

export const listImports = command(v.object({}), async (chat) => ({ imports: await list(chat) }))

export const showImport = command(v.object({ id }), (chat, args) => show(chat, args.id))

export const undoImport = command(v.object({ id }), (chat, args, progress) =>
  importerOf(chat).alone(() => undo(chat, args.id, { progress })),
)
