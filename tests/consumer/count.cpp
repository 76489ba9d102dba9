/* SPDX-License-Identifier: Apache-2.0 */
/* A stranger's C++ program: pulls the events of a capture that it feeds, counts calls, errors, unreturned. */
#include <callgauge/callgauge.h>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>

namespace
{

struct Counts {
    std::uint64_t calls = 0, errors = 0, unreturned = 0;

    void add(const callgauge_event &event)
    {
        if (event.kind != CALLGAUGE_EVENT_CALL) {
            return;
        }
        if ((event.flags & CALLGAUGE_CALL_UNRETURNED) != 0) {
            unreturned++;
        } else {
            calls++;
            errors += event.error != nullptr;
        }
    }
};

void pull(callgauge_reader *reader, Counts &counts)
{
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    const callgauge_event *event = nullptr;
    callgauge_status status;
    while ((status = callgauge_reader_next(reader, &event, &err)) == CALLGAUGE_OK) {
        counts.add(*event);
    }
    if (status < 0) {
        throw std::string(err.message);
    }
}

Counts count(const std::string &text)
{
    callgauge_reader *made = nullptr;
    callgauge_error err = CALLGAUGE_ERROR_INIT;
    if (callgauge_reader_new("text", nullptr, &made, &err) != CALLGAUGE_OK) {
        throw std::string(err.message);
    }
    std::unique_ptr<callgauge_reader, void (*)(callgauge_reader *)> reader(made, callgauge_reader_free);
    Counts counts;
    if (callgauge_reader_feed(made, text.data(), text.size(), &err) != CALLGAUGE_OK) {
        throw std::string(err.message);
    }
    pull(made, counts);
    callgauge_reader_finish(made, &err);
    pull(made, counts);
    return counts;
}

} // namespace

int main(int argc, char **argv)
{
    std::ifstream file(argc > 1 ? argv[1] : "");
    std::string text{ std::istreambuf_iterator<char>(file), {} };
    try {
        Counts counts = count(text);
        std::cout << counts.calls << ' ' << counts.errors << ' ' << counts.unreturned << '\n';
    } catch (const std::string &message) {
        std::cerr << message << '\n';
        return 1;
    }
    return 0;
}
