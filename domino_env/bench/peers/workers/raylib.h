/* What the game names of the library that it draws itself with. Nothing is drawn while it is timed. */
#include <stdbool.h>

typedef struct { unsigned char r, g, b, a; } Color;
typedef struct { float x, y, width, height; } Rectangle;

#define PURPLE (Color){200, 122, 255, 255}
#define KEY_ESCAPE 256

static void InitWindow(int width, int height, const char *title) {}
static void CloseWindow(void) {}
static void SetTargetFPS(int rate) {}
static bool IsKeyDown(int key) { return false; }
static void BeginDrawing(void) {}
static void EndDrawing(void) {}
static void ClearBackground(Color color) {}
static void DrawRectangle(int x, int y, int width, int height, Color color) {}
static void DrawRectangleLines(int x, int y, int width, int height, Color color) {}
static void DrawRectangleLinesEx(Rectangle where, float thick, Color color) {}
static void DrawText(const char *text, int x, int y, int size, Color color) {}
static const char *TextFormat(const char *text, ...) { return text; }
