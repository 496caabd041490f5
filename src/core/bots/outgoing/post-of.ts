import type { Post } from '../../../network/post.ts'
import { defineService } from '../../kernel/service.ts'

/** How requests leave this server. */
export const postOf = defineService<Post>('way out')
