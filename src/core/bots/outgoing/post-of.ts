import type { Post } from '../../../network/post.ts'
import { defineService } from '../../kernel/service.ts'

/** Sends requests to other servers. */
export const postOf = defineService<Post>('way out')
