import { badRequest } from '../core/kernel/errors.ts'
import type { FileStream, UploadedFile } from '../core/kernel/fields.ts'
import type { LimitOptions } from '../core/kernel/transport.ts'
import { type BodyRules, MAX_FORM_BYTES, type ReceivedBody } from './body/rules.ts'
import { type ParameterPlan, planOf } from './decode.ts'
import { type AnyAction, pathNames } from './route-types.ts'

/** An action with its method and path, and everything that is computed from it once. */
export interface Operation {
  readonly action: AnyAction
  readonly plan: ParameterPlan
  /** Without the size of a file, which `rulesFor` adds. */
  readonly rules: BodyRules
  /** Bytes of the largest file; undefined if the action takes none. */
  readonly maxFileBytes: ((options: LimitOptions) => number) | undefined
  /** Parameters in the path. */
  readonly path: ReadonlySet<string>
  /** Parameters in the path, and the ones that are read from headers only. */
  readonly fixed: ReadonlySet<string>
  /** The parameters that are headers, each with the header's name. */
  readonly headers: readonly (readonly [name: string, header: string])[]
}

const ONE_FILE = 'You must upload exactly one file.'

export function operationOf(action: AnyAction, path: string): Operation {
  const plan = planOf(action.params)
  const { file, body, headers = {} } = action
  if (plan.file && !file) throw new Error(`${action.summary}: an action that takes a file says how large it may be`)
  const maxFileBytes = plan.file && file ? (options: LimitOptions) => file.maxBytes(options) : undefined
  const rules: BodyRules = {
    maxBytes: MAX_FORM_BYTES,
    maxFileBytes: 0,
    field: file?.field,
    atMost: file?.atMost,
    missing: file?.missing ?? ONE_FILE,
    several: file?.several ?? ONE_FILE,
    streamed: plan.file?.streamed ?? false,
    whole: body && { ...body, encoding: encodingOf(plan, body.param) },
  }
  const named = pathNames(path)
  const fixed = action.onlyInHeaders ? new Set([...named, ...Object.keys(headers)]) : named
  return { action, plan, rules, maxFileBytes, path: named, fixed, headers: Object.entries(headers) }
}

/** Returns what bodies an operation accepts on a server with these options. */
export function rulesFor({ rules, maxFileBytes }: Operation, options: LimitOptions): BodyRules {
  if (!maxFileBytes) return rules
  const bytes = maxFileBytes(options)
  return { ...rules, maxBytes: bytes + MAX_FORM_BYTES, maxFileBytes: bytes }
}

function encodingOf({ entries, file }: ParameterPlan, param: string) {
  if (file?.name === param) return file.streamed ? 'stream' : 'file'
  const entry = entries.find(({ name }) => name === param)
  if (!entry) throw new Error(`the whole body belongs to the parameter ${param}, which the action does not have`)
  return entry.encoding
}

interface TakenFile {
  ignored: readonly string[]
  value?: UploadedFile | readonly UploadedFile[] | FileStream
}
const nothing: TakenFile = { ignored: [] }

/** Returns the value of the file parameter, and the names of files that no parameter takes. */
export function takeFile({ plan, rules }: Operation, { files, upload }: ReceivedBody): TakenFile {
  const { file } = plan
  if (!file) return files.length === 0 ? nothing : { ignored: [...new Set(files.map(({ field }) => field))] }
  const isMeant = (field: string) => rules.field === undefined || rules.field === field
  const meant = files.filter(({ field }) => isMeant(field))
  const ignored = [...new Set(files.flatMap(({ field }) => (isMeant(field) ? [] : [field])))]
  const count = meant.length + (upload ? 1 : 0)
  if (count === 0 && file.optional) return { ignored }
  if (rules.atMost !== undefined) {
    if (count > rules.atMost) throw badRequest(rules.several)
    return { ignored, value: meant.map(bytesOf) }
  }
  if (count !== 1) throw badRequest(count === 0 ? rules.missing : rules.several)
  return { ignored, value: upload ? streamOf(upload) : bytesOf(meant[0]!) }
}

const streamOf = ({ name, content_type, chunks }: FileStream): FileStream => ({ name, content_type, chunks })
const bytesOf = ({ name, bytes }: UploadedFile): UploadedFile => ({ name, bytes })
