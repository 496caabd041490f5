// Preloaded into the server (LD_PRELOAD): writes down, in their order, all changes it makes to the files of one folder,
// what it has synced, and what it sends to its clients. recording.ts reads it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define MAX_FDS 65536
#define MAX_NAMES 1024
#define FOLDER 1 // the folder's own number; files are numbered from 2 on

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int out = -1;
static char folder[4096];
static size_t folder_length;
static uint32_t file_of_fd[MAX_FDS];
static struct { char *path; uint32_t file; } names[MAX_NAMES];
static int name_count;
static uint32_t last_file = FOLDER;

static void raw_write(const void *data, size_t length) {
  const char *at = data;
  while (length > 0) {
    long n = syscall(SYS_write, out, at, length);
    if (n <= 0) abort();
    at += n;
    length -= n;
  }
}

// A record: what happened, to which file, where, how many bytes, the bytes.
static void record(char what, uint32_t file, uint64_t offset, const void *data, uint32_t length) {
  unsigned char head[17];
  head[0] = what;
  memcpy(head + 1, &file, 4);
  memcpy(head + 5, &offset, 8);
  memcpy(head + 13, &length, 4);
  raw_write(head, sizeof head);
  if (length > 0) raw_write(data, length);
}

__attribute__((constructor)) static void begin(void) {
  const char *target = getenv("RECORD_TO"), *watched = getenv("RECORD_FOLDER");
  if (!target || !watched) return;
  snprintf(folder, sizeof folder, "%s", watched);
  folder_length = strlen(folder);
  out = syscall(SYS_openat, AT_FDCWD, target, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (out < 0) abort();
}

static int ends_with(const char *path, const char *end) {
  size_t a = strlen(path), b = strlen(end);
  return a >= b && strcmp(path + a - b, end) == 0;
}

// The log's index in shared memory is rebuilt at each start; locks and sockets hold nothing.
static int is_watched(const char *path) {
  if (out < 0 || !path || strncmp(path, folder, folder_length) != 0 || path[folder_length] != '/') return 0;
  return !ends_with(path, "-shm") && !ends_with(path, ".sock") && !ends_with(path, ".lock") && !strstr(path, ".owner");
}

static int name_at(const char *path) {
  for (int i = 0; i < name_count; i++) if (names[i].path && strcmp(names[i].path, path) == 0) return i;
  return -1;
}

static uint32_t add_name(const char *path, uint32_t file) {
  if (name_count == MAX_NAMES) abort();
  names[name_count].path = strdup(path);
  names[name_count++].file = file;
  return file;
}

#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
#define LOCK() pthread_mutex_lock(&lock)
#define UNLOCK() do { int saved = errno; pthread_mutex_unlock(&lock); errno = saved; } while (0)
#define FILE_OF(fd) ((out >= 0 && (fd) >= 0 && (fd) < MAX_FDS) ? file_of_fd[fd] : 0)

static int opened(int fd, const char *path, int flags, int existed) {
  if (fd < 0 || fd >= MAX_FDS) return fd;
  if (out >= 0 && path && strcmp(path, folder) == 0) file_of_fd[fd] = FOLDER;
  else if (is_watched(path)) {
    int name = name_at(path);
    if (name >= 0) file_of_fd[fd] = names[name].file;
    else {
      file_of_fd[fd] = add_name(path, ++last_file);
      // What a file from before the recording holds is read elsewhere: it exists (E).
      record(existed ? 'E' : 'C', last_file, 0, path, strlen(path));
    }
    if (existed && (flags & O_TRUNC)) record('T', file_of_fd[fd], 0, NULL, 0);
  } else file_of_fd[fd] = 0;
  return fd;
}

#define OPEN(name)                                                                                        \
  int name(const char *path, int flags, ...) {                                                            \
    REAL(name);                                                                                           \
    va_list rest;                                                                                         \
    va_start(rest, flags);                                                                                \
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0;                             \
    va_end(rest);                                                                                         \
    if (out < 0) return real(path, flags, mode);                                                          \
    LOCK();                                                                                               \
    int existed = access(path, F_OK) == 0;                                                                \
    int fd = opened(real(path, flags, mode), path, flags, existed);                                       \
    UNLOCK();                                                                                             \
    return fd;                                                                                            \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                                      \
  int name(int at, const char *path, int flags, ...) {                                                    \
    REAL(name);                                                                                           \
    va_list rest;                                                                                         \
    va_start(rest, flags);                                                                                \
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0;                             \
    va_end(rest);                                                                                         \
    if (out < 0) return real(at, path, flags, mode);                                                      \
    LOCK();                                                                                               \
    int existed = access(path, F_OK) == 0;                                                                \
    int fd = opened(real(at, path, flags, mode), path, flags, existed);                                   \
    UNLOCK();                                                                                             \
    return fd;                                                                                            \
  }
OPENAT(openat)
OPENAT(openat64)

int close(int fd) {
  REAL(close);
  LOCK();
  if (fd >= 0 && fd < MAX_FDS) file_of_fd[fd] = 0;
  int result = real(fd);
  UNLOCK();
  return result;
}

#define PWRITE(name, type)                                                                                \
  ssize_t name(int fd, const void *data, size_t length, type offset) {                                    \
    REAL(name);                                                                                           \
    if (!FILE_OF(fd)) return real(fd, data, length, offset);                                              \
    LOCK();                                                                                               \
    ssize_t n = real(fd, data, length, offset);                                                           \
    if (n > 0) record('W', FILE_OF(fd), offset, data, n);                                                 \
    UNLOCK();                                                                                             \
    return n;                                                                                             \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

// What is sent is written down before it leaves: whatever it says must be on disk by then.
static void sent(int fd, const struct iovec *parts, int count) {
  struct stat found;
  if (out < 0 || fstat(fd, &found) != 0 || !S_ISSOCK(found.st_mode)) return;
  char text[8192];
  size_t length = 0;
  for (int i = 0; i < count; i++) {
    size_t n = parts[i].iov_len;
    if (n > sizeof text - length) n = sizeof text - length;
    memcpy(text + length, parts[i].iov_base, n);
    length += n;
  }
  LOCK();
  record('A', 0, 0, text, length);
  UNLOCK();
}

// The file that is written to. Node closes files by a system call of its own, so a socket may have the number of one.
static uint32_t written(int fd) {
  struct stat found;
  if (FILE_OF(fd) && (fstat(fd, &found) != 0 || !S_ISREG(found.st_mode))) file_of_fd[fd] = 0;
  return FILE_OF(fd);
}

ssize_t write(int fd, const void *data, size_t length) {
  REAL(write);
  if (!written(fd)) {
    struct iovec part = {(void *)data, length};
    sent(fd, &part, 1);
    return real(fd, data, length);
  }
  LOCK();
  off64_t offset = lseek64(fd, 0, SEEK_CUR);
  ssize_t n = real(fd, data, length);
  if (n > 0) record('W', FILE_OF(fd), offset, data, n);
  UNLOCK();
  return n;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  REAL(writev);
  // None of the watched files is written like this; if one ever is, the recording must not go on without it.
  if (written(fd)) abort();
  sent(fd, parts, count);
  return real(fd, parts, count);
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
  REAL(pwritev);
  if (written(fd)) abort();
  return real(fd, parts, count, offset);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags) {
  REAL(sendmsg);
  sent(fd, message->msg_iov, message->msg_iovlen);
  return real(fd, message, flags);
}

#define TRUNCATE(name, type)                                                                              \
  int name(int fd, type size) {                                                                           \
    REAL(name);                                                                                           \
    if (!FILE_OF(fd)) return real(fd, size);                                                              \
    LOCK();                                                                                               \
    int result = real(fd, size);                                                                          \
    if (result == 0) record('T', FILE_OF(fd), size, NULL, 0);                                             \
    UNLOCK();                                                                                             \
    return result;                                                                                        \
  }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define SYNC(name)                                                                                        \
  int name(int fd) {                                                                                      \
    REAL(name);                                                                                           \
    if (!FILE_OF(fd)) return real(fd);                                                                    \
    LOCK();                                                                                               \
    int result = real(fd);                                                                                \
    if (result == 0) record(FILE_OF(fd) == FOLDER ? 'D' : 'S', FILE_OF(fd), 0, NULL, 0);                  \
    UNLOCK();                                                                                             \
    return result;                                                                                        \
  }
SYNC(fsync)
SYNC(fdatasync)

int unlink(const char *path) {
  REAL(unlink);
  if (!is_watched(path)) return real(path);
  LOCK();
  int result = real(path);
  int name = name_at(path);
  if (result == 0 && name >= 0) {
    names[name].path[0] = 0;
    record('U', names[name].file, 0, path, strlen(path));
  }
  UNLOCK();
  return result;
}

int rename(const char *from, const char *to) {
  REAL(rename);
  if (!is_watched(from) && !is_watched(to)) return real(from, to);
  LOCK();
  int result = real(from, to);
  int name = name_at(from), replaced = name_at(to);
  if (result == 0 && name >= 0) {
    if (replaced >= 0) names[replaced].path[0] = 0;
    uint32_t file = names[name].file;
    names[name].path[0] = 0;
    record('R', add_name(to, file), 0, to, strlen(to));
  }
  UNLOCK();
  return result;
}
