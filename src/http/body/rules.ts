import type { WholeBody } from '../../core/transport.ts'
import type { Encoding } from '../decode.ts'
import type { Upload } from './upload.ts'

/** Parameters other than a file fit in this. */
export const MAX_FORM_BYTES = 1024 * 1024

/** What one operation takes. */
export interface BodyRules {
  /** Bytes of the whole body. */
  maxBytes: number
  /** Bytes of one uploaded file; none are kept when 0. */
  maxFileBytes: number
  /** The only form field whose file counts; any when undefined. */
  field: string | undefined
  /** What to say of no file, and of several. */
  missing: string
  several: string
  /** Whether the action reads the file while it arrives. */
  streamed: boolean
  whole: WholeRule | undefined
}

/** Bodies that are the value of one parameter, and how that parameter is read. */
export interface WholeRule extends WholeBody {
  encoding: Encoding
}

/** A file of a form. Its bytes are there only if the action takes a file. */
export interface ReceivedFile {
  field: string
  name: string
  content_type: string
  bytes: Uint8Array
}

/** What a body has besides parameters. */
export interface ReceivedBody {
  files: readonly ReceivedFile[]
  /** The file that is still arriving. */
  upload?: Upload
  /** The value of the parameter that a whole body is. */
  value?: unknown
  /** Drops what the action did not read of an upload. */
  close?(): Promise<void>
}
