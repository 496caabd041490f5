import type { Download, Fetch, Post } from '../../../network/post.ts'
import { defineService } from '../../kernel/service.ts'

/** Sends requests to other servers. */
export const postOf = defineService<Post>('way out')

/** Gets documents from other servers. */
export const fetchOf = defineService<Fetch>('way out for feeds')

/** Gets files of any size from other servers. */
export const downloadOf = defineService<Download>('way out for files')
