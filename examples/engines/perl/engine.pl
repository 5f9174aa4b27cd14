#!/usr/bin/env perl
# A domino engine in Perl: a tile at random, of those that it may play.

use strict;
use warnings;
use JSON::PP;

$| = 1;

sub say_message {
    my ($message) = @_;
    print encode_json($message), "\n";
}

# The id of one of the plays of a game, or of its first move if there is no play.
sub chosen {
    my ($game) = @_;
    my @plays = grep { $_->{kind} eq 'play' } @{ $game->{moves} };
    my $move = @plays ? $plays[ int rand @plays ] : $game->{moves}[0];
    return $move->{id};
}

my %answers = (
    hello => sub {
        say_message({
            type    => 'hello',
            protocol => 1,
            name    => 'Random in Perl',
            author  => 'domino-env',
            options => [ { name => 'seed', type => 'integer', default => 0 } ],
        });
    },
    setup => sub {
        my ($message) = @_;
        srand($message->{options}{seed} // 0);
        say_message({ type => 'ready' });
    },
    move => sub {
        my ($message) = @_;
        my @moves = map { { game => $_->{game}, id => chosen($_) } } @{ $message->{games} };
        say_message({ type => 'move', request => $message->{request}, moves => \@moves });
    },
    quit => sub { exit 0 },
);

while (my $line = <STDIN>) {
    my $message = decode_json($line);
    my $answer = $answers{ $message->{type} };
    $answer->($message) if $answer;
}
