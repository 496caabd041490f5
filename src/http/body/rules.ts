import type { WholeBody } from '../../core/kernel/transport.ts'
import type { Encoding } from '../decode.ts'
import type { Upload } from './upload.ts'

/** Bytes of all parameters except a file, at most. */
export const MAX_FORM_BYTES = 1024 * 1024

/** What bodies one operation accepts. */
export interface BodyRules {
  /** Bytes of the entire body. */
  maxBytes: number
  /** Bytes of one uploaded file, or of several together; 0 when the action takes none. */
  maxFileBytes: number
  /** The form field of the file; any field when undefined. */
  field: string | undefined
  /** How many files the action takes as a list; one if undefined. */
  atMost: number | undefined
  /** Error messages for no file and for several. */
  missing: string
  several: string
  /** Whether the action reads the file while it arrives. */
  streamed: boolean
  whole: WholeRule | undefined
}

/** The rule for bodies that are the value of one parameter, with the function that reads the value. */
export interface WholeRule extends WholeBody {
  encoding: Encoding
}

/** A file of a form. Its bytes are only kept if the action takes a file. */
export interface ReceivedFile {
  field: string
  name: string
  content_type: string
  bytes: Uint8Array
}

/** The contents of a body besides parameters. */
export interface ReceivedBody {
  files: readonly ReceivedFile[]
  /** The file that is still arriving. */
  upload?: Upload
  /** The value of the parameter that is the whole body. */
  value?: unknown
  /** Drops the rest of a body that the action did not read. */
  close?(): Promise<void>
}
